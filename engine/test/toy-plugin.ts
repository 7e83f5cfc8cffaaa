/**
 * A plugin of a package "toy", whose objects are in a file. Configured with a token; another region needs other objects. Its `Thing` has a
 * `value`, which is updated, a `kind`, which replaces it, and a `serial`, which only the service knows.
 */
const SERVICE = `
const fs = require("fs");
// Packages of the SDK's.
const own = require("module").createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = own("@grpc/grpc-js");
const { Struct } = own("google-protobuf/google/protobuf/struct_pb");
const { Empty } = own("google-protobuf/google/protobuf/empty_pb");
const m = require("@pulumi/pulumi/proto/provider_pb");
const r = require("@pulumi/pulumi/proto/resource_pb");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { ResourceMonitorClient } = require("@pulumi/pulumi/proto/resource_grpc_pb");

const SIG = "4dabf18193072939515e22adb298388d";
const isSecret = (v) => v !== null && typeof v === "object" && v[SIG] === "1b47061264138c4ac30d75fd1eb44270";
const open = (v) => (isSecret(v) ? v.value : v);
const secret = (value) => ({ [SIG]: "1b47061264138c4ac30d75fd1eb44270", value });
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const log = (line) => fs.appendFileSync(process.env.CALLS, line + "\\n");
const load = () => (fs.existsSync(process.env.OBJECTS) ? JSON.parse(fs.readFileSync(process.env.OBJECTS, "utf8")) : {});
const save = (objects) => fs.writeFileSync(process.env.OBJECTS, JSON.stringify(objects));
const values = (struct) => (struct ? struct.toJavaScript() : {});
const struct = (v) => Struct.fromJavaScript(v);
const answer = (message, fields) => {
  for (const [name, v] of Object.entries(fields)) message["set" + name](v);
  return message;
};
const failures = (texts) => texts.map((reason) => answer(new m.CheckFailure(), { Reason: reason }));
const unary = (work) => (call, reply) => Promise.resolve(call.request).then(work).then((a) => reply(null, a), (e) => reply({ code: 2, details: e.message }));

const handlers = {
  checkConfig(q) {
    const news = values(q.getNews());
    if (open(news.token) === undefined) return answer(new m.CheckResponse(), { Inputs: q.getNews(), FailuresList: failures(["it needs a token"]) });
    return answer(new m.CheckResponse(), { Inputs: struct({ region: "here", ...news, token: secret(open(news.token)) }) });
  },
  diffConfig(q) {
    const [olds, news] = [values(q.getOldInputs()), values(q.getNews())];
    const changed = ["token", "region"].filter((k) => open(olds[k]) !== open(news[k]));
    return answer(new m.DiffResponse(), { Changes: changed.length ? 2 : 1, ReplacesList: changed.filter((k) => k === "region") });
  },
  configure(q) {
    log("configure " + open(values(q.getArgs()).token));
    return answer(new m.ConfigureResponse(), { Acceptsecrets: true, Supportspreview: true });
  },
  check(q) {
    const news = values(q.getNews());
    return answer(new m.CheckResponse(), { Inputs: q.getNews(), FailuresList: failures(news.value === "bad" ? ["value must be good"] : []) });
  },
  diff(q) {
    const [olds, news] = [values(q.getOldInputs()), values(q.getNews())];
    const response = answer(new m.DiffResponse(), { Hasdetaileddiff: true });
    const replaces = [];
    for (const name of new Set([...Object.keys(olds), ...Object.keys(news)])) {
      const [a, b] = [JSON.stringify(open(olds[name])), JSON.stringify(open(news[name]))];
      if (a === b) continue;
      if (name === "kind") replaces.push(name);
      const kinds = a === undefined ? [0, 1] : b === undefined ? [2, 3] : [4, 5];
      const diff = answer(new m.PropertyDiff(), { Kind: kinds[name === "kind" ? 1 : 0], Inputdiff: true });
      response.getDetaileddiffMap().set(name, diff);
    }
    return answer(response, { Changes: response.getDetaileddiffMap().getLength() ? 2 : 1, ReplacesList: replaces });
  },
  create(q) {
    const news = values(q.getProperties());
    if (q.getPreview()) return answer(new m.CreateResponse(), { Properties: struct({ ...news, serial: UNKNOWN }) });
    if (news.value === "crash") process.exit(3);
    if (news.value === "refused") throw new Error("the service refuses it");
    const objects = load();
    const id = "t" + (Object.keys(objects).length + 1);
    log("create " + id);
    objects[id] = { ...news, serial: 7 };
    save(objects);
    return answer(new m.CreateResponse(), { Id: id, Properties: struct(objects[id]) });
  },
  update(q) {
    const news = values(q.getNews());
    const olds = values(q.getOlds());
    if (q.getPreview()) return answer(new m.UpdateResponse(), { Properties: struct({ ...news, serial: olds.serial }) });
    log("update " + q.getId());
    const objects = load();
    objects[q.getId()] = { ...news, serial: olds.serial };
    save(objects);
    return answer(new m.UpdateResponse(), { Properties: struct(objects[q.getId()]) });
  },
  read(q) {
    const found = load()[q.getId()];
    if (!found) return new m.ReadResponse();
    const { serial, ...inputs } = found;
    return answer(new m.ReadResponse(), { Id: q.getId(), Properties: struct(found), Inputs: struct(inputs) });
  },
  delete(q) {
    log("delete " + q.getId());
    const objects = load();
    delete objects[q.getId()];
    save(objects);
    return new Empty();
  },
  invoke(q) {
    const { prefix = "", secretly } = values(q.getArgs());
    if (prefix === "!") return answer(new m.InvokeResponse(), { FailuresList: failures(["no prefix has a !"]) });
    return answer(new m.InvokeResponse(), { Return: struct({ ids: Object.keys(load()).filter((id) => id.startsWith(prefix)), ...(secretly && { hush: secret("hush-function") }) }) });
  },
  async construct(q) {
    const monitor = new ResourceMonitorClient(q.getMonitorendpoint(), grpc.credentials.createInsecure());
    const register = (fields) => new Promise((done, fail) =>
      monitor.registerResource(answer(new r.RegisterResourceRequest(), { Supportspartialvalues: true, ...fields }), (e, a) => (e ? fail(e) : done(a))));
    const component = await register({ Type: q.getType(), Name: q.getName(), Parent: q.getParent() });
    const inputs = values(q.getInputs());
    const child = (n) => register({ Type: "toy:index:Thing", Name: q.getName() + n, Custom: true, Parent: component.getUrn(), Version: "1.2.3", Object: struct({ value: inputs.value }) });
    const things = [await child("-one"), await child("-two")];
    const urns = new m.ConstructResponse.PropertyDependencies();
    urns.setUrnsList([things[0].getUrn()]);
    const response = answer(new m.ConstructResponse(), { Urn: component.getUrn(), State: struct({ first: things[0].getId() || UNKNOWN, value: inputs.value }) });
    response.getStatedependenciesMap().set("first", urns);
    monitor.close();
    return response;
  },
};
const server = new grpc.Server();
server.addService(ResourceProviderService, Object.fromEntries(Object.entries(handlers).map(([name, work]) => [name, unary(work)])));
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_, port) => console.log(port));
`;

/** Files of a project that has the plugin in a folder. */
export const toyPlugin = {
  "toy/PulumiPlugin.yaml": "runtime: nodejs\n",
  "toy/index.js": SERVICE,
};

/** How programs declare its resources: what a generated SDK has. */
export const TOY_SDK = `
const pulumi = require("@pulumi/pulumi");
const version = "1.2.3";
class Thing extends pulumi.CustomResource {
  constructor(name, args, opts) { super("toy:index:Thing", name, { serial: undefined, value: undefined, ...args }, { version, ...opts }); }
}
class Pair extends pulumi.ComponentResource {
  constructor(name, args, opts) { super("toy:index:Pair", name, { first: undefined, ...args }, { version, ...opts }, true); }
}
class Provider extends pulumi.ProviderResource {
  constructor(name, args, opts) { super("toy", name, args, { version, ...opts }); }
}
const list = (args, opts) => pulumi.runtime.invokeOutput("toy:index:list", args, { version, ...opts });
`;
