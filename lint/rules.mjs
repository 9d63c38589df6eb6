/** The rules of this project that oxlint does not have. */
export default {
  meta: { name: 'own' },
  rules: {
    /**
     * Finds Results that are dropped, and their failures with them: a call of a function of this project as a statement.
     * For promises and ResultAsyncs, no-floating-promises does the same.
     */
    'must-use': {
      meta: { type: 'problem' },
      create(context) {
        const ours = new Set();
        return {
          ImportDeclaration(node) {
            if (!/^(\.|pagepics)/.test(node.source.value)) return;
            for (const { local } of node.specifiers) ours.add(local.name);
          },
          ExpressionStatement(node) {
            const call =
              node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
            if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') return;
            const { name } = call.callee;
            if (ours.has(name)) context.report({ node, message: `The Result of ${name}() is dropped.` });
          },
        };
      },
    },
    /** A literal with `\p{…}` makes engines load the tables of Unicode whenever they load its file: see `unicode`. */
    'late-classes': {
      meta: { type: 'problem' },
      create(context) {
        return {
          Literal(node) {
            if (node.regex && /\\p\{/i.test(node.regex.pattern))
              context.report({
                node,
                message: 'Make this pattern by unicode(): it takes time at each start.',
              });
          },
        };
      },
    },
    /** A type assertion needs a line comment, before its statement or within it, that says why it is true. */
    'explained-assertions': {
      meta: { type: 'problem' },
      create(context) {
        return {
          TSAsExpression(node) {
            const { type, typeName } = node.typeAnnotation;
            if (type === 'TSTypeReference' && typeName.name === 'const') return;
            let statement = node;
            while (!/Statement$|^(?:VariableDeclaration|Program)$/.test(statement.type)) {
              statement = statement.parent;
            }
            const { sourceCode } = context;
            const isWithin = ({ start }) => start >= statement.range[0] && start < node.range[1];
            const comments = [
              ...sourceCode.getCommentsBefore(statement),
              ...sourceCode.getAllComments().filter((comment) => isWithin(comment)),
            ];
            if (comments.some((comment) => comment.type === 'Line')) return;
            context.report({
              node,
              message: 'Say in a comment why this assertion is true, or type it better.',
            });
          },
        };
      },
    },
  },
};
