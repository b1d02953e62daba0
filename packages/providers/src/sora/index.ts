import { decodeErrorBody } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import { versionedUrl } from '../endpoint-url.ts'
import { openAiVideo } from '../openai-video.ts'
import type { Provider } from '../provider.ts'

const defaultBaseUrl = 'https://api.openai.com'

const video = openAiVideo((path, { baseUrl }) => ({
  url: versionedUrl(baseUrl || defaultBaseUrl, '/v1', `/videos${path}`),
  headers: {},
}))

/** Whoever makes videos in the form of OpenAI's Videos API. https://platform.openai.com/docs/api-reference/videos */
export const sora: Provider = {
  id: 'sora',
  defaultBaseUrl,
  credential: { kind: 'headers', headers: bearer },
  modes: [],
  operation: () => undefined,
  tasks: { video: () => video },
  decodeError: (failure) => decodeErrorBody(failure, { moderation_blocked: 'content_policy' }),
}
