/**
 * The playground speaks the OpenAI chat dialect with a session instead of a key, so it is not an envelope call:
 * it answers with the relay's own shapes. Body: a chat completion plus an optional `group`.
 */
export const playgroundPath = '/pg/chat/completions'
