import { refuseCharged, soundOf, withSound } from '../charged-fields.ts'
import type { VideoOrder, VideoTerms } from '../task.ts'
import {
  aspectRatioOf,
  type Lengths,
  lengthsBetween,
  linesOf,
  refuseFields,
  refuseImages,
  secondsOf,
  wordOf,
} from '../video-order.ts'

type Mode = 'std' | 'pro' | '4k'

interface KlingModel {
  /** Absent for a model of which nothing is known. */
  readonly lengths?: Lengths
  /** None: the model makes its one resolution. */
  readonly modes: readonly Mode[]
  readonly resolution?: string
}

export interface KlingTerms extends VideoTerms {
  readonly mode: Mode | undefined
  readonly ratio: string | undefined
}

const ratios = ['16:9', '9:16', '1:1']
const resolutions: Readonly<Record<Mode, string>> = { std: '720p', pro: '1080p', '4k': '4k' }
const defaultSeconds = 5

/** https://app.klingai.com/global/dev/document-api/apiReference/model/skillsMap */
const models: readonly (readonly [RegExp, KlingModel])[] = [
  [/^kling-v2-master/, { lengths: [5, 10], modes: [], resolution: '720p' }],
  [/^kling-v2-1-master/, { lengths: [5, 10], modes: [], resolution: '1080p' }],
  [/^kling-v3.*-turbo/, { lengths: lengthsBetween(3, 15), modes: ['std', 'pro'] }],
  [/^kling-v3/, { lengths: lengthsBetween(3, 15), modes: ['std', 'pro', '4k'] }],
  [/^kling-v[12](-|$)/, { lengths: [5, 10], modes: ['std', 'pro'] }],
]

const unknownModel: KlingModel = { modes: ['std', 'pro', '4k'] }

/**
 * What an order says of the video, and what Kling makes where it leaves that open.
 * @throws RequestFault for what the model does not make
 */
export function klingTerms(order: VideoOrder, model: string): KlingTerms {
  const known = models.find(([name]) => name.test(model))?.[1] ?? unknownModel
  const hasModes = known.modes.length > 0
  refuseImages(order, 2)
  refuseFields(order, 'seed')
  // The lengths of shots add up to the whole.
  refuseCharged(order.metadata, ['duration', 'sound', 'multi_prompt', ...(hasModes ? ['mode'] : [])])
  if (!hasModes) refuseFields(order, 'mode')
  const mode = hasModes ? modeOf(order, known.modes) : undefined
  const terms = {
    seconds: secondsOf(order, 'duration', known.lengths, defaultSeconds),
    resolution: (mode && resolutions[mode]) ?? known.resolution ?? resolutions.std,
    mode,
    ratio: order.images.length === 0 ? aspectRatioOf(order, ratios) : undefined,
  }
  return withSound(terms, soundOf(order.metadata, 'sound', false))
}

/** Who orders as many lines as only the better mode makes means that mode. */
function modeOf(order: VideoOrder, modes: readonly Mode[]): Mode {
  const said = wordOf(order, 'mode', modes, { field: 'mode', value: order.mode })
  return said ?? ((linesOf(order) ?? 0) >= 1080 ? 'pro' : 'std')
}
