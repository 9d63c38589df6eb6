// The loopback server of the benchmark, in its own process, so that it does not slow the client.
import { createServer } from 'node:http';

const body = JSON.stringify({ success: true, id: '42_1' });
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => server.close());
