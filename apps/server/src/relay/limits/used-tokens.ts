import { promptTokensOf, type Usage } from '@tollgate/formats'

/** All tokens of a call as limits count them: cached ones too. 0 for a call that was not charged. */
export function usedTokens(usage: Usage | undefined): number {
  return usage === undefined ? 0 : promptTokensOf(usage) + usage.outputTokens
}
