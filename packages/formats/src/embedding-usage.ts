import { readUsage as readGeminiUsage } from './gemini/response/usage.ts'
import { type JsonObject, listOf, objectOf } from './json/value.ts'
import { readUsage as readOpenAiUsage } from './openai-chat/response/usage.ts'
import { countOf, type Usage, usageOf } from './usage.ts'

/** A field of a response's head; `null` without it. */
export type ReadHeader = (name: string) => string | null

type Reader = (body: JsonObject, header: ReadHeader) => Usage | undefined

/**
 * Readers of the places where upstreams count the tokens of embeddings. Names differ from vendor to vendor, so every reader looks at every
 * response: an operation cannot miss its upstream's count.
 */
const readers: readonly Reader[] = [
  // OpenAI's form; Voyage and Jina may give the total alone, DashScope `input_tokens`.
  // https://docs.voyageai.com/reference/embeddings-api, https://help.aliyun.com/zh/model-studio/multimodal-embedding-api-reference
  ({ usage }) => {
    const raw = objectOf(usage)
    const prompt = firstCount(raw.prompt_tokens, raw.input_tokens, raw.total_tokens)
    return readOpenAiUsage({ ...raw, prompt_tokens: prompt, completion_tokens: 0 })
  },
  // https://ai.google.dev/api/embeddings (2026-11-28); the same of `embedContent` at Vertex
  ({ usageMetadata }) => {
    const raw = objectOf(usageMetadata)
    const prompt = firstCount(raw.promptTokenCount, raw.totalTokenCount)
    return prompt === undefined ? undefined : readGeminiUsage({ ...raw, promptTokenCount: prompt })
  },
  // https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
  ({ predictions }) =>
    inputUsage(
      listOf(predictions)
        .map((prediction) => objectOf(objectOf(objectOf(prediction).embeddings).statistics))
        .reduce((sum, { token_count }) => sum + (countOf(token_count) ?? 0), 0),
    ),
  // https://docs.cohere.com/reference/embed
  ({ meta }) => {
    const { billed_units, tokens } = objectOf(meta)
    return inputUsage(firstCount(objectOf(billed_units).input_tokens, objectOf(tokens).input_tokens))
  },
  // https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings
  ({ prompt_eval_count }) => inputUsage(prompt_eval_count),
  // https://cloud.tencent.com/document/api/1729/102832
  ({ Response }) => {
    const { PromptTokens, TotalTokens } = objectOf(objectOf(Response).Usage)
    return inputUsage(firstCount(PromptTokens, TotalTokens))
  },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
  ({ inputTextTokenCount }) => inputUsage(inputTextTokenCount),
  // Cohere's models at Bedrock count in the head alone.
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
  (_, header) => inputUsage(Number(header('x-amzn-bedrock-input-token-count') ?? 0)),
]

/**
 * The upstream's count of a response with embeddings; `undefined` when it sent none.
 * @param body the response, with or without its vectors
 */
export function embeddingUsage(body: JsonObject, header: ReadHeader = noHeader): Usage | undefined {
  for (const read of readers) {
    const usage = read(body, header)
    if (usage !== undefined) return usage
  }
  return undefined
}

const noHeader: ReadHeader = () => null

/** Returns the first count above 0: a text has at least one token, so 0 means that the upstream did not count. */
function firstCount(...values: readonly unknown[]): number | undefined {
  return values.map(countOf).find((count) => count !== undefined && count > 0)
}

function inputUsage(value: unknown): Usage | undefined {
  const inputTokens = firstCount(value)
  return inputTokens === undefined ? undefined : usageOf({ inputTokens })
}
