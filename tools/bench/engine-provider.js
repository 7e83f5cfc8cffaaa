"use strict";
const outs = (inputs) => ({ ...inputs, value: `value of ${inputs.name}` });
const KEYS = ["name", "text", "tags", "before"];

exports.item = {
  check: async (_olds, news) => ({ inputs: news, failures: [] }),
  diff: async (_id, olds, news) => ({ changes: KEYS.some((k) => JSON.stringify(olds[k]) !== JSON.stringify(news[k])) }),
  create: async (inputs) => ({ id: inputs.name, outs: outs(inputs) }),
  update: async (_id, _olds, news) => ({ outs: outs(news) }),
  read: async (id, props) => ({ id, props }),
  delete: async () => undefined,
};
