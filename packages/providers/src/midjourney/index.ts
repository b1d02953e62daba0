import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { Provider } from '../provider.ts'
import type { ForwardedTaskService } from '../task.ts'
import { forwardedUrl, jsonHeaders, reportsByReference } from '../task-list.ts'
import { midjourneyReport } from './report.ts'

/** Proxies name no limit: all of a channel's open tasks go into one question. */
const batch = 10_000

/** https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
const drawing: ForwardedTaskService = {
  endpoint: (path, { baseUrl }) => ({ url: forwardedUrl(baseUrl, '/mj', path), headers: jsonHeaders }),
  polling: {
    batch,
    // Proxies queue what none of their accounts works on yet.
    listsNewTasksLate: true,
    question: (tasks, { baseUrl }) => ({
      url: forwardedUrl(baseUrl, '/mj', '/mj/task/list-by-condition'),
      headers: jsonHeaders,
      body: JSON.stringify({ ids: [...new Set(tasks.map(({ reference }) => reference))] }),
    }),
    read: (body, tasks) => reportsByReference(body, 'id', tasks, midjourneyReport),
  },
}

/** Codes of its submissions, which stand in answers of any status. */
const codeKinds: CodeKinds = {
  3: 'quota',
  4: 'bad_request',
  5: 'upstream_bug',
  9: 'upstream_bug',
  23: 'rate_limited',
  24: 'content_policy',
  30: 'rate_limited',
}
const noAccount = '3'

function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const error = decodeErrorBody(failure, codeKinds)
  const body = parseJson(failure.body)
  const description = isObject(body) ? textOf(body['description']) : ''
  return {
    ...error,
    ...(description !== '' && { message: description }),
    // No account works for the channel, as when the money of one has run out.
    ...(error.code === noAccount && { type: 'insufficient_quota' }),
  }
}

/** Midjourney Proxy, and what speaks as it does. */
export const midjourney: Provider = {
  id: 'midjourney',
  defaultBaseUrl: '',
  credential: { kind: 'headers', headers: ({ key }) => ({ 'mj-api-secret': key }) },
  modes: [],
  operation: () => undefined,
  tasks: { drawing },
  decodeError,
}
