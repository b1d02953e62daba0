import { promptTokensOf, toolKinds, type Usage } from '@tollgate/formats'
import type { Price } from './price.ts'
import type { PriceMembers } from './price-members.ts'
import type { TokenTerms } from './price-terms.ts'
import { servedPrice } from './surcharges/served-price.ts'
import { chargeableCount as count, countsByKind, type PerKind } from './token-kinds.ts'

/**
 * Writes the members of a log row from which alone its charge can be computed again: members of a JSON object (`LogOther`), as text,
 * because every call writes one and nearly all of it is the price's. Kinds of tokens that the call did not use are not in it.
 * @param implausible what the upstream counted, where it was not believed and `usage` is our own count
 */
export function explainCharge(usage: Usage, listed: Price, implausible?: Usage): string {
  const price = servedPrice(listed, usage)
  let text = price.members.always
  if (price.terms.kind === 'per-token') {
    text += tokenMembers(countsByKind(usage), price.members)
    if (usage.toolCalls !== undefined || usage.otherTools !== undefined)
      text += toolMembers(usage, price.terms)
  } else if (usage.otherTools !== undefined) text += toolMembers({ otherTools: usage.otherTools }, {})
  const reasoning = count(usage.reasoningTokens)
  if (reasoning > 0) text += `,"reasoning_tokens":${reasoning}`
  if (implausible !== undefined) text += implausibleMember(implausible)
  return text
}

function tokenMembers(counts: PerKind<number>, members: PriceMembers): string {
  const { audioInput, audioOutput, imageInput, imageOutput } = counts
  const withAudio = audioInput + audioOutput > 0
  const withImages = imageInput + imageOutput > 0
  let text = `,"cache_tokens":${counts.cacheRead}${cacheWriteMembers(counts, members)}`
  if (withAudio || withImages) text += `,"text_input":${counts.textInput},"text_output":${counts.textOutput}`
  if (withAudio) text += `,"audio_input":${audioInput},"audio_output":${audioOutput}${members.audio}`
  if (withImages) text += `,"image_input":${imageInput},"image_output":${imageOutput}${members.image}`
  return text
}

/**
 * Writes the tools of a call. One without a price is named, too: it ran for nothing. One that only the vendor has a name for has that
 * name.
 */
function toolMembers(
  { toolCalls = {}, otherTools = {} }: Pick<Usage, 'toolCalls' | 'otherTools'>,
  { tools = {}, quotaPerUnit }: Pick<TokenTerms, 'tools' | 'quotaPerUnit'>,
): string {
  const used: (readonly [string, { readonly calls: number; readonly price: number }])[] = toolKinds.flatMap(
    (kind) => {
      const calls = count(toolCalls[kind] ?? 0)
      return calls === 0 ? [] : [[kind, { calls, price: tools[kind] ?? 0 }] as const]
    },
  )
  for (const [name, calls] of Object.entries(otherTools)) used.push([name, { calls: count(calls), price: 0 }])
  const units = quotaPerUnit === undefined ? '' : `,"quota_per_unit":${quotaPerUnit}`
  return `,"tool_calls":${JSON.stringify(Object.fromEntries(used))}${units}`
}

/** Both kinds of writes together, as most readers know them; apart where there are any that last an hour. */
function cacheWriteMembers({ cacheWrite, cacheWrite1h }: PerKind<number>, members: PriceMembers): string {
  if (cacheWrite + cacheWrite1h === 0) return ''
  const total = `,"cache_creation_tokens":${cacheWrite + cacheWrite1h}${members.cacheWrite}`
  if (cacheWrite1h === 0) return total
  const apart = `,"cache_creation_tokens_5m":${cacheWrite},"cache_creation_tokens_1h":${cacheWrite1h}`
  return `${total}${apart}${members.cacheWrite1h}`
}

function implausibleMember(usage: Usage): string {
  const figures = {
    prompt_tokens: promptTokensOf(usage),
    completion_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
  }
  return `,"usage_disbelieved":${JSON.stringify(figures)}`
}
