/** The fewest characters of what is searched for. Shorter texts occur by chance, and to hide them would garble what people read. */

/** Of a secret value, as it is. */
export const shortestSecret = 4;

/** Of a secret that has digits only. */
export const shortestNumber = 6;

/** Of an API key, and of what is found escaped or divided. */
export const shortestKey = 6;

/** Of a key in the environment of the command, in the messages of its errors. */
export const shortestOwnKey = 8;

/** Of the part of a base64 text that does not depend on what precedes and follows it. */
export const shortestBase64Part = 8;

/** Of what is found in every encoding and case: shorter ones may be words, which stand in other texts in capitals, or with a space in them. */
export const shortestInAnyForm = 12;

/** Of a line of a secret text, such as a private key's: what programs print comes line by line. */
export const shortestLine = 16;
