/** A token stands for three bytes or more in nearly every text: ordinary English has four to five, Chinese three. */
const bytesPerToken = 3

/** Upper estimate of a text's tokens, at once and without a tokenizer, for reservations. */
export function roughTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}
