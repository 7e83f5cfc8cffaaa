// What `up` and `preview` run. Here each customer has a stack, whose program is in provision.ts.
throw new Error("run `npm start` instead: it brings the stacks of all customers up to date");
