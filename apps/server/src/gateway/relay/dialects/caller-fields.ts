/**
 * Header fields by which clients name their session: Codex, opencode, Claude Code.
 * https://code.claude.com/docs/en/llm-gateway
 */
export const sessionFields = ['session-id', 'session_id', 'x-session-id', 'x-claude-code-session-id'] as const

/** The few fields of OpenAI's that go on, each by its name: a search of all fields would cost every caller. */
export const forwardedFields = {
  openai: ['openai-beta'],
  // Codex puts its tools into the conversation under the second, and names what it tries out in the third.
  responses: ['openai-beta', 'x-openai-internal-codex-responses-lite', 'x-codex-beta-features'],
} as const
