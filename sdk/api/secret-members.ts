/** Which members of the API are secret. */

/** A pattern of their names, in replies and notifications: keys, and links with which anyone can sign or change a draft. */
export const secretMembers =
  "\\w*api_key|webhook_secret|session_url|party_signing_url|envelope_signing_embed|signing_page_link";

/** Whether a member of this name is hidden from output and logs. */
export const isSecretMember = (name: string): boolean => new RegExp(`^(?:${secretMembers})$`, "i").test(name);
