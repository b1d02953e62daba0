import { decodeErrorBody } from '@tollgate/formats'
import { defineProvider } from '../../define-provider.ts'
import { versionedUrl } from '../../endpoint-url.ts'
import { openAiVideo } from '../../video/openai-video.ts'

const video = openAiVideo((path, { baseUrl }) => ({
  url: versionedUrl(baseUrl, '/v1', `/videos${path}`),
  headers: {},
}))

/** Any upstream with OpenAI's Videos API. https://platform.openai.com/docs/api-reference/videos */
export const sora = defineProvider({
  tasks: { video: () => video },
  decodeError: (failure) => decodeErrorBody(failure, { moderation_blocked: 'content_policy' }),
})
