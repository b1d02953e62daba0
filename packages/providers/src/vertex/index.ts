import { namesIn } from '../openai-compatible.ts'
import type { Operation, Provider, RelayMode, Target } from '../provider.ts'
import { isVeo } from '../veo.ts'
import { catalogueUrl } from './address.ts'
import { claude, countClaude } from './claude.ts'
import { vertexCredential } from './credential.ts'
import { embeddings } from './embeddings.ts'
import { decodeError } from './error.ts'
import { gemini } from './gemini.ts'
import { geminiPictures, speech } from './generated-media.ts'
import { images } from './images.ts'
import { readVertexKey } from './key.ts'
import { familyOf, type VertexFamily } from './model-id.ts'
import { mistral, openModels } from './open-models.ts'
import { defaultBaseUrl } from './region.ts'
import { vertexVideo } from './video.ts'

const chat: Readonly<Record<VertexFamily, Operation>> = { google: gemini, claude, mistral, open: openModels }

/** Vertex AI: Google's models, and those of others that it hosts. https://cloud.google.com/vertex-ai/generative-ai/docs */
export const vertex: Provider = {
  id: 'vertex',
  defaultBaseUrl,
  credential: vertexCredential,
  modes: ['chat', 'embeddings', 'images', 'speech'],
  operation: (mode, target) => (isServed(target) ? operationOf(mode, target.upstreamModel) : undefined),
  counting: (target) =>
    isServed(target) && familyOf(target.upstreamModel) === 'claude' ? countClaude : undefined,
  tasks: { video: (model) => (isVeo(model) ? vertexVideo : undefined) },
  models: {
    endpoint(target) {
      const key = readVertexKey(target.key)
      if (key.kind === 'api-key') return undefined
      // Whose quota the question is counted by: it names no project itself.
      return { url: catalogueUrl(target), headers: { 'x-goog-user-project': key.projectId } }
    },
    decode: (body) =>
      namesIn(body, 'publisherModels', 'name').map((name) =>
        name.replace(/^publishers\/[^/]+\/models\//, ''),
      ),
  },
  decodeError,
}

function operationOf(mode: RelayMode, model: string): Operation | undefined {
  const family = familyOf(model)
  if (mode === 'chat') return chat[family]
  if (family !== 'google') return undefined
  if (mode === 'embeddings') return embeddings
  if (mode === 'images') return model.startsWith('gemini') ? geminiPictures : images
  return mode === 'speech' ? speech : undefined
}

/** Express mode has Google's own models alone. */
function isServed({ key, upstreamModel }: Target): boolean {
  return familyOf(upstreamModel) === 'google' || !/^(AIza|AQ\.)/.test(key.trim())
}
