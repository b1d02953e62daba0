import { anthropicMessages, flattenContent, gemini as geminiCodec, openAiChat } from '@tollgate/formats'
import { chatOperation } from '../../define-provider.ts'
import { mergeEdits } from '../../edits/json-edits.ts'
import { betaHeader } from '../../families/claude/host-betas.ts'
import { fitToClaudeHost, movedOutputFormat } from '../../families/claude/host-fit.ts'
import { countFailure, uncounted } from '../../families/claude.ts'
import { mistralMessages } from '../../families/mistral.ts'
import type { HeaderMap, Operation, OperationQuirks, Target } from '../../provider.ts'
import { decodeError } from './credential.ts'
import { claudeIdOf, modelUrl, projectUrl } from './endpoint.ts'

const bodyVersion = '"vertex-2023-10-16"'

/** The address holds the model, the body the version. */
const quirks: OperationQuirks = (request) =>
  mergeEdits(
    new Map([
      ['model', undefined],
      ['anthropic_version', bodyVersion],
    ]),
    movedOutputFormat(request),
  )

/** Anthropic's models. https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude */
export const claude = chatOperation({
  codec: anthropicMessages,
  hosted: true,
  mediaBytes: 'always',
  quirks,
  fit: fitToClaudeHost('vertex'),
  endpoint: (target, { stream, headers }) => {
    const verb = stream ? 'streamRawPredict' : 'rawPredict'
    return {
      url: modelUrl(target, 'anthropic', claudeIdOf(target.upstreamModel), verb),
      headers: betaHeaders(headers, target),
    }
  },
})

/**
 * The body holds the model; not every region counts.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens
 */
export const countClaude: Operation = {
  ...claude,
  quirks: (request, model) =>
    mergeEdits(
      uncounted,
      movedOutputFormat(request),
      new Map([
        ['model', JSON.stringify(claudeIdOf(model))],
        ['anthropic_version', bodyVersion],
      ]),
    ),
  endpoint: (target, { headers }) => ({
    url: modelUrl(target, 'anthropic', 'count-tokens', 'rawPredict'),
    headers: betaHeaders(headers, target),
  }),
  decodeError: countFailure(decodeError),
}

/** Returns the betas that are known here. The caller's version is for Anthropic's own address. */
function betaHeaders(caller: HeaderMap, { upstreamModel }: Target): HeaderMap {
  return { 'anthropic-version': '', ...betaHeader('vertex', caller, upstreamModel) }
}

/** Google's models. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const gemini = chatOperation({
  codec: geminiCodec,
  mediaBytes: 'translated',
  endpoint: (target, { stream }) => {
    const id = target.upstreamModel.replace(/^models\//, '')
    const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return { url: modelUrl(target, 'google', id, verb), headers: {} }
  },
})

/** Llama, DeepSeek, Qwen and others, by OpenAI's format. https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis */
export const openModels = chatOperation({
  codec: openAiChat,
  streamOptions: true,
  endpoint: (target) => ({ url: projectUrl(target, '/endpoints/openapi/chat/completions'), headers: {} }),
})

/** Mistral's models in Mistral's format, which is OpenAI's. https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral */
export const mistral = chatOperation({
  codec: openAiChat,
  quirks: mistralMessages,
  normalizeResponse: flattenContent,
  endpoint: (target, { stream }) => {
    const verb = stream ? 'streamRawPredict' : 'rawPredict'
    return { url: modelUrl(target, 'mistralai', target.upstreamModel, verb), headers: {} }
  },
})
