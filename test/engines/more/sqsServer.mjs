export { createSqsServer } from 'local-aws-sqs';
