import { objectOf, type RequestQuirks, rerankCodec, rerankUsage } from '@tollgate/formats'
import type { ProviderShape } from '../../define-provider.ts'
import { noEdits } from '../../edits/json-edits.ts'
import { rerankResults } from '../../modes/rerank.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { Operation, Provider, RelayMode } from '../../provider.ts'
import {
  aliImages,
  decodeError,
  makesImageTasks,
  nativeRoot,
  responsesWithImages,
  taskImages,
} from './images.ts'
import { aliVideo, isAliVideo } from './video.ts'

/** https://www.alibabacloud.com/help/en/model-studio/text-rerank-api */
const aliRerank = rerankCodec({
  encodeRequest: ({ query, texts, topN, vendor }, { model }) => ({
    body: {
      model,
      input: { query, documents: texts },
      parameters: { ...vendor, ...(topN !== undefined && { top_n: topN }), return_documents: false },
    },
    dropped: [],
  }),
  decodeResponse({ json }) {
    const body = objectOf(json)
    const results = rerankResults(body.output, 'relevance_score')
    return results && { results, usage: rerankUsage(body) }
  },
})

const searchSuffix = '-internet'

/** `qwen-plus-internet` is gateways' way to ask for the model with web search switched on. */
const quirks: RequestQuirks = (_request, model) =>
  model.endsWith(searchSuffix)
    ? new Map([
        ['model', JSON.stringify(model.slice(0, -searchSuffix.length))],
        ['enable_search', 'true'],
      ])
    : noEdits

const nativePaths: { readonly [Mode in RelayMode]?: string } = {
  rerank: '/services/rerank/text-rerank/text-rerank',
  images: '/services/aigc/multimodal-generation/generation',
}

function isNative(mode: RelayMode | 'models'): boolean {
  return mode !== 'models' && nativePaths[mode] !== undefined
}

/** Compatible mode. https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope */
const compatible = openAiCompatible({
  id: 'ali',
  root: (_target, mode) => (isNative(mode) ? nativeRoot : '/compatible-mode/v1'),
  serves: ['chat', 'embeddings', 'rerank', 'images'],
  plain: { rerank: aliRerank, images: aliImages },
  paths: (mode) => nativePaths[mode],
  quirks,
  headers: ({ other }) => (other === '' ? {} : { 'x-dashscope-plugin': other }),
  decodeError,
})

export const ali: ProviderShape = {
  ...compatible,
  operation,
  tasks: { video: (model) => (isAliVideo(model) ? aliVideo : undefined) },
}

function operation(...[mode, target, wanted]: Parameters<Provider['operation']>): Operation | undefined {
  const { upstreamModel } = target
  if (mode !== 'images' || responsesWithImages(upstreamModel))
    return compatible.operation(mode, target, wanted)
  return makesImageTasks(upstreamModel) ? taskImages : undefined
}
