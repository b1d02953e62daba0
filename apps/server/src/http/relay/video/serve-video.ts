import { encodeVideo, noUsage } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import { costOf } from '../../../billing/pricing/charge.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import { pricedName } from '../../../billing/pricing/price-table.ts'
import { isVideoPriced, videoPrice } from '../../../billing/pricing/video-price.ts'
import {
  type AdmissionDependencies,
  admitToken,
  type RelayCaller,
} from '../../../relay/admission/admission.ts'
import { replyHeaders } from '../../../relay/call.ts'
import { RelayError } from '../../../relay/relay-error.ts'
import { ownTask, type TaskLookup } from '../../../relay/tasks/own-tasks.ts'
import { submitTask, type TaskDependencies } from '../../../relay/tasks/submit-task.ts'
import { offeredTerms } from '../../../relay/tasks/video/offered-terms.ts'
import { type VideoOrdering, videoOrder } from '../../../relay/tasks/video/video-order.ts'
import type { Task } from '../../../store/repositories/tasks.ts'
import { videoState } from '../../../tasks/video/video-object.ts'
import { keyOf } from '../caller-dialect.ts'
import type { RelayContext } from '../relay-context.ts'
import { type TaskCallDependencies, taskCallOf } from '../task-call.ts'
import { type OrderReading, readOrder } from './read-order.ts'
import type { VideoContents } from './video-contents.ts'
import type { VideoRoute } from './video-route.ts'

export interface VideoDependencies extends TaskCallDependencies, OrderReading {
  readonly admission: AdmissionDependencies
  readonly tasks: TaskDependencies
  readonly taskLookup: TaskLookup
  readonly contents: VideoContents
  readonly newVideoId: () => string
}

/** Everything under `/v1/videos`. https://platform.openai.com/docs/api-reference/videos */
export async function serveVideo(
  context: RelayContext,
  route: VideoRoute,
  deps: VideoDependencies,
): Promise<Reply> {
  const caller = await admitToken(keyOf(context, 'openai'), context, deps.admission)
  if (route.name === 'create') return create(context, caller, deps)
  const task = await ownTask('video', route.id, caller, deps.taskLookup)
  if (task === undefined) throw notFound(route.id)
  return route.name === 'show' ? shown(context, task, deps) : deps.contents.send(context, task)
}

async function create(context: RelayContext, caller: RelayCaller, deps: VideoDependencies): Promise<Reply> {
  const { model, order } = await readOrder(context, caller.user.id, deps)
  const texts = [order.prompt, order.negativePrompt ?? '']
  const call = taskCallOf(context, caller, { mode: 'video', format: 'openai-videos', model, texts }, deps)
  const ordering = { order, id: deps.newVideoId(), ...pricing(order, model, deps) }
  const { task } = await submitTask(call, videoOrder(ordering), deps.tasks)
  return shown(context, task, deps)
}

function pricing(
  order: VideoOrdering['order'],
  model: string,
  { tasks }: VideoDependencies,
): Pick<VideoOrdering, 'isPriced' | 'priceOf' | 'reservedPrice'> {
  const rules = tasks.settings.current.VideoPrice
  const name = pricedName(model)
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  const priceOf: VideoOrdering['priceOf'] = (price, terms) => videoPrice(price, rule, terms)
  return {
    isPriced: (terms) => isVideoPriced(rule, terms),
    priceOf,
    reservedPrice: (price, channels) =>
      worstCase(offeredTerms(order, model, channels).map((terms) => priceOf(price, terms))) ?? price,
  }
}

function worstCase(prices: readonly Price[]): Price | undefined {
  return prices.toSorted((a, b) => costOf(noUsage, b) - costOf(noUsage, a))[0]
}

function shown(context: RelayContext, task: Task, { contents }: VideoDependencies): Reply {
  const body = encodeVideo(videoState(task, contents.isPublic(task)))
  return { status: 200, headers: replyHeaders('application/json', context), body }
}

const shownLength = 128

function notFound(id: string): RelayError {
  const message = `Video with id '${id.slice(0, shownLength)}' not found.`
  return new RelayError('video_not_found', message, { param: 'video_id' })
}
