import { defineProvider } from '../../define-provider.ts'
import { isVeo } from '../../families/veo.ts'
import type { Operation, Target } from '../../provider.ts'
import { namesIn } from '../../queries/model-lists.ts'
import { claude, countClaude, gemini, mistral, openModels } from './chat.ts'
import { decodeError, vertexCredential } from './credential.ts'
import { embeddings } from './embeddings.ts'
import { catalogueUrl, familyOf, readVertexKey, type VertexFamily } from './endpoint.ts'
import { geminiPictures, images, speech, vertexVideo } from './media.ts'

const chat: Readonly<Record<VertexFamily, Operation>> = { google: gemini, claude, mistral, open: openModels }

/** Vertex AI: Google's models, and those of others that it hosts. https://cloud.google.com/vertex-ai/generative-ai/docs */
export const vertex = defineProvider({
  credential: vertexCredential,
  operations: {
    chat: (target) => (isServed(target) ? chat[familyOf(target.upstreamModel)] : undefined),
    embeddings: (target) => googleOperation(target, embeddings),
    images: (target) =>
      googleOperation(target, target.upstreamModel.startsWith('gemini') ? geminiPictures : images),
    speech: (target) => googleOperation(target, speech),
  },
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
})

function googleOperation({ upstreamModel }: Target, operation: Operation): Operation | undefined {
  return familyOf(upstreamModel) === 'google' ? operation : undefined
}

/** Express mode has Google's own models alone. */
function isServed({ key, upstreamModel }: Target): boolean {
  return familyOf(upstreamModel) === 'google' || !/^(AIza|AQ\.)/.test(key.trim())
}
