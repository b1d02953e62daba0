import { anthropicMessages } from '@tollgate/formats'
import { cloudBetas, countFailure, uncounted } from '../claude.ts'
import type { HeaderMap, Operation, OperationQuirks } from '../provider.ts'
import { mergedEdits } from '../quirks.ts'
import { modelUrl } from './address.ts'
import { decodeError } from './error.ts'
import { claudeIdOf } from './model-id.ts'

const bodyVersion = '"vertex-2023-10-16"'

/** The model stands in the address, the version in the body. */
const quirks: OperationQuirks = () =>
  new Map([
    ['model', undefined],
    // Not known there, and of no weight for the answer.
    ['service_tier', undefined],
    ['anthropic_version', bodyVersion],
  ])

/** Anthropic's models. https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude */
export const claude: Operation = {
  format: 'anthropic-messages',
  codec: anthropicMessages,
  framing: 'sse',
  streamOptions: false,
  hosted: true,
  mediaBytes: 'always',
  quirks,
  endpoint: (target, { stream, headers }) => {
    const verb = stream ? 'streamRawPredict' : 'rawPredict'
    return {
      url: modelUrl(target, 'anthropic', claudeIdOf(target.upstreamModel), verb),
      headers: betaHeaders(headers),
    }
  },
  decodeError,
}

/**
 * The model stands in the body; not every region counts.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens
 */
export const countClaude: Operation = {
  ...claude,
  quirks: (_, model) =>
    mergedEdits(
      uncounted,
      new Map([
        ['model', JSON.stringify(claudeIdOf(model))],
        ['anthropic_version', bodyVersion],
      ]),
    ),
  endpoint: (target, { headers }) => ({
    url: modelUrl(target, 'anthropic', 'count-tokens', 'rawPredict'),
    headers: betaHeaders(headers),
  }),
  decodeError: countFailure(decodeError),
}

/** The web search runs here, beside what other clouds have. */
const ownBeta = /^web-search-\d{4}-\d\d-\d\d$/

/** The caller's version is for Anthropic's own address; of its betas go those that are known here. */
function betaHeaders(caller: HeaderMap): HeaderMap {
  const wanted = caller['anthropic-beta'] ?? ''
  return { 'anthropic-version': '', 'anthropic-beta': cloudBetas(wanted, ownBeta).join(',') }
}
