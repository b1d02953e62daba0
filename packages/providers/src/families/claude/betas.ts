/** Companies that host Claude behind an API of Anthropic's form. */
export type ClaudeHost = 'bedrock' | 'vertex' | 'foundry'

/**
 * Treatment of a beta, and of the members that it brings, by a host:
 * * `beta`: takes the name, and the members in calls that send it
 * * `optional`: takes both, and the members without the name
 * * `free`: takes the members, and refuses the name
 * * `header`: takes the name, and refuses the members
 * * `none`: takes neither
 */
export type Support = 'beta' | 'optional' | 'free' | 'header' | 'none'

/** A support that depends on the model's generation; models of unknown generation have the newer one. */
export interface SupportSince {
  readonly from: number
  readonly to?: number
  readonly is: Support
  readonly otherwise: Support
}

/** A beta, or a feature without one, with the parts of a request that belong to it. */
export interface BetaRow {
  /** The beta's name without its date; of a feature that has no beta, its name. */
  readonly name: string
  /** Known dates; none for a feature without a beta. */
  readonly dates: readonly string[]
  /**
   * Left out where the host does not take them: `tool.strict` is a member of tools, `block:fallback` a block of that type,
   * without its date.
   */
  readonly drops?: readonly string[]
  /** Refused where the host does not take them: without them the response would be another. */
  readonly refuses?: readonly string[]
  readonly bedrock: Support | SupportSince
  readonly vertex: Support | SupportSince
  readonly foundry: Support | SupportSince
  readonly source: keyof typeof betaSources
}

/** Anthropic's own API takes everything; what hosts take is said, and learned from refusals, in these places. */
export const betaSources = {
  overview: ['https://platform.claude.com/docs/en/build-with-claude/overview', '2026-11-28'],
  bedrock: [
    'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html',
    '2026-11-28',
  ],
  bedrockMessages: [
    'https://platform.claude.com/docs/en/build-with-claude/claude-in-amazon-bedrock',
    '2026-11-28',
  ],
  foundry: [
    'https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry',
    '2026-11-28',
  ],
  headers: ['https://docs.litellm.ai/docs/tutorials/claude_code_beta_headers', '2026-11-28'],
  scope: ['https://github.com/Wei-Shaw/claude-relay-service/issues/965', '2026-11-28'],
  ttl: ['https://github.com/BerriAI/litellm/issues/17250', '2026-11-28'],
  eager: ['https://github.com/anthropics/claude-agent-sdk-python/issues/694', '2026-11-28'],
  effort: ['https://github.com/anthropics/claude-code-action/issues/1005', '2026-11-28'],
  topCache: ['https://github.com/BerriAI/litellm/issues/26320', '2026-11-28'],
  flags: ['https://github.com/anthropics/claude-code/issues/49370', '2026-11-28'],
  sdk: ['https://github.com/anthropics/anthropic-sdk-typescript (resources/beta/messages)', '2026-11-28'],
  idle: ['https://github.com/anthropics/anthropic-sdk-go/issues/186', '2026-11-28'],
} as const
