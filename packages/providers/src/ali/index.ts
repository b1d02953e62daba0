import type { JsonEdits, RequestQuirks, RequestText } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import type { Operation, Provider, RelayMode } from '../provider.ts'
import { mergedEdits, noEdits, numberWithin } from '../quirks.ts'
import { defaultBaseUrl, nativeRoot } from './address.ts'
import { aliImages, responsesWithImages } from './images.ts'
import { aliRerank } from './rerank.ts'
import { makesImageTasks, taskImages } from './task-images.ts'
import { decodeError } from './tasks.ts'
import { aliVideo, isAliVideo } from './video.ts'

/** Models with open weights that think unless told otherwise, and then refuse calls that do not stream. */
const thinksByDefault = /^qwen3-[\d.]+b(-a[\d.]+b)?$/i

const searchSuffix = '-internet'

/** `qwen-plus-internet` is gateways' way to ask for the model with web search switched on. */
const quirks: RequestQuirks = (request, model) =>
  mergedEdits(
    thinksByDefault.test(model) ? withoutThinking(request) : noEdits,
    numberWithin(request, 'top_p', 0.001, 0.999), // Strictly between 0 and 1, or the call is refused.
    model.endsWith(searchSuffix)
      ? new Map([
          ['model', JSON.stringify(model.slice(0, -searchSuffix.length))],
          ['enable_search', 'true'],
        ])
      : noEdits,
  )

function withoutThinking({ body }: RequestText): JsonEdits {
  return body.stream === true || body.enable_thinking != null
    ? noEdits
    : new Map([['enable_thinking', 'false']])
}

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
  defaultBaseUrl,
  root: (_target, mode) => (isNative(mode) ? nativeRoot : '/compatible-mode/v1'),
  modes: ['chat', 'embeddings', 'rerank', 'images'],
  own: { rerank: aliRerank, images: aliImages },
  paths: (mode) => nativePaths[mode],
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
  quirks,
  headers: ({ other }) => (other === '' ? {} : { 'x-dashscope-plugin': other }),
  decodeError,
})

export const ali: Provider = {
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
