import type { DialectName } from '../paths.ts'
import { anthropicList, anthropicModel } from './anthropic-models.ts'
import { geminiList, geminiModel } from './gemini-models.ts'
import { openAiList, openAiModel } from './openai-models.ts'

/** How one vendor's clients are told of models. */
interface ModelLists {
  /** @throws RelayError for paging parameters that are none */
  readonly list: (models: readonly string[], query: URLSearchParams) => unknown
  readonly one: (model: string) => unknown
}

const openAi: ModelLists = { list: openAiList, one: openAiModel }

/** By the dialect of whoever asks. */
export const modelLists: Readonly<Record<DialectName, ModelLists>> = {
  openai: openAi,
  responses: openAi,
  anthropic: { list: anthropicList, one: anthropicModel },
  gemini: { list: geminiList, one: geminiModel },
}
