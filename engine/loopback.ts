/**
 * An environment in which programs, providers and an engine find each other on this machine: gRPC asks the proxy of `https_proxy` or
 * `http_proxy` for everything, this machine itself included, unless it is excepted.
 */
export const withLocalNoProxy = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  no_grpc_proxy: [env.no_grpc_proxy || env.no_proxy, "127.0.0.1"].filter(Boolean).join(","),
});
