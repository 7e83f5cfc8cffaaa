/**
 * Terraform with a generic REST provider, where `TERRAFORM_PLUGINS` is a folder of plugins with registry.terraform.io/mastercard/restapi in it,
 * and `TERRAFORM` the command unless that is `terraform` (OpenTofu works as well).
 */

export const terraform = process.env.TERRAFORM ?? "terraform";
export const terraformPlugins = process.env.TERRAFORM_PLUGINS;

/** `main.tf.json`. */
export const terraformConfiguration = (objects: Record<string, object>): string =>
  JSON.stringify({
    terraform: { required_providers: { restapi: { source: "mastercard/restapi" } } },
    variable: { url: {}, key: {} },
    provider: {
      restapi: {
        uri: "${var.url}",
        username: "${var.key}",
        write_returns_object: true,
        password: "x",
        headers: { "Content-Type": "application/json" },
      },
    },
    resource: { restapi_object: objects },
  });

export const terraformWebhook = (type: string, url: string): object => ({
  path: "/v1/webhooks",
  id_attribute: "webhook_id",
  data: JSON.stringify({ webhook_type: type, webhook_url: url }),
});

export const terraformInit: readonly string[] = ["init", "-input=false", `-plugin-dir=${terraformPlugins}`];

export const terraformEnvironment = (url: string, key: string): Record<string, string> => ({
  TF_VAR_url: url,
  TF_VAR_key: key,
  CHECKPOINT_DISABLE: "1",
});
