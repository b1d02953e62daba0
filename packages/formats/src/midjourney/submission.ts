import { spliceMembers } from '../json/text.ts'
import {
  type ChosenAction,
  type MidjourneyAction,
  MidjourneyFault,
  midjourneyModel,
  opensDialogue,
  readCustomId,
  readSimpleChange,
} from './actions.ts'
import { type MidjourneyFields, readMidjourneyFields } from './fields.ts'

/** A client's request to generate or change an image. */
export interface MidjourneySubmission {
  readonly action: MidjourneyAction
  /** Name under which it is routed and priced. */
  readonly model: string
  /** Nothing is charged, whatever the model costs. */
  readonly isFree: boolean
  /** Id of the task that it continues, whose channel it uses; empty for a new one. */
  readonly originId: string
  /** True when the continued task must have finished, where the operator requires it. */
  readonly needsFinishedOrigin: boolean
  /** Number of the image among the four, from 1. */
  readonly index: number
  /** Words of the client's; for lists, and for the filter of words. */
  readonly prompt: string
  /** Fields that the client wants to find again in the task. */
  readonly retained: { readonly state: string; readonly botType: string; readonly customId: string }
  /** The client's URL for notifications of changes; empty without one. */
  readonly notifyHook: string
  readonly fields: MidjourneyFields
}

/** Result of a path's reader. */
interface PathReading {
  readonly action: MidjourneyAction
  readonly originId?: string
  readonly index?: number
  readonly needsFinishedOrigin?: boolean
  /** Prompt in place of the client's. */
  readonly prompt?: string
}

type Reader = (fields: MidjourneyFields) => PathReading

const readers = {
  'submit/imagine': (fields) => ({ action: 'IMAGINE', ...withPrompt(fields) }),
  'submit/change': readChange,
  'submit/simple-change': (fields) => {
    const { taskId, ...chosen } = readSimpleChange(required(fields, 'content', 'content_is_required'))
    return { ...chosen, originId: taskId }
  },
  'submit/action': (fields) => {
    const chosen = readCustomId(required(fields, 'customId', 'custom_id_is_required'))
    return { ...chosen, originId: originOf(fields) }
  },
  'submit/modal': (fields) => ({ action: 'MODAL', originId: originOf(fields), needsFinishedOrigin: false }),
  'submit/describe': (fields) => {
    if (!fields.scan.members.has('link')) required(fields, 'base64', 'base64_is_required')
    return { action: 'DESCRIBE' }
  },
  'submit/blend': (fields) => {
    if (fields.pictures < 2 || fields.pictures > 5)
      throw new MidjourneyFault('base64_array_must_hold_2_to_5_images')
    return { action: 'BLEND' }
  },
  'submit/shorten': (fields) => ({ action: 'SHORTEN', ...withPrompt(fields) }),
  'submit/upload-discord-images': (fields) => {
    if (fields.pictures === 0) throw new MidjourneyFault('base64_array_is_required')
    return { action: 'UPLOAD' }
  },
  'submit/edits': (fields) => ({ action: 'EDITS', ...withPrompt(fields) }),
  'submit/video': (fields) => ({ action: 'VIDEO', originId: fields.text('taskId') }),
  'insight-face/swap': (fields) => {
    for (const name of ['sourceBase64', 'targetBase64'] as const)
      required(fields, name, 'sour_base64_and_target_base64_is_required')
    return { action: 'SWAP_FACE', prompt: 'InsightFace' }
  },
} as const satisfies Record<string, Reader>

/** The part of a submission's path behind `/mj/`. */
export type MidjourneyPath = keyof typeof readers

/** Returns whether a path takes submissions. */
export function isMidjourneyPath(path: string): path is MidjourneyPath {
  return Object.hasOwn(readers, path)
}

/**
 * @param maxDepth how deep the body may nest
 * @throws DrawingFault
 */
export function readMidjourneySubmission(
  path: MidjourneyPath,
  body: string,
  maxDepth: number,
): MidjourneySubmission {
  const fields = readMidjourneyFields(body, maxDepth)
  const read: Reader = readers[path]
  const { action, originId = '', index = 1, needsFinishedOrigin = true, prompt } = read(fields)
  return {
    action,
    model: midjourneyModel(action),
    isFree: opensDialogue(action),
    originId,
    needsFinishedOrigin,
    index,
    prompt: prompt ?? fields.text('prompt'),
    retained: {
      state: fields.text('state'),
      botType: fields.text('botType'),
      customId: fields.text('customId'),
    },
    notifyHook: fields.text('notifyHook'),
    fields,
  }
}

const changes = ['UPSCALE', 'VARIATION', 'REROLL'] as const

function readChange(fields: MidjourneyFields): ChosenAction & PathReading {
  const originId = originOf(fields)
  const wanted = required(fields, 'action', 'action_is_required')
  const action = changes.find((known) => known === wanted)
  if (action === undefined) throw new MidjourneyFault('unknown_action')
  return { action, originId, index: action === 'REROLL' ? 1 : pictureIndex(fields) }
}

const picturesOfGrid = 4

function pictureIndex({ index = 0 }: MidjourneyFields): number {
  if (index === 0) throw new MidjourneyFault('index_is_required')
  if (index < 0 || index > picturesOfGrid) throw new MidjourneyFault('index_parse_failed')
  return index
}

function withPrompt(fields: MidjourneyFields): { prompt: string } {
  return { prompt: required(fields, 'prompt', 'prompt_is_required') }
}

function originOf(fields: MidjourneyFields): string {
  return required(fields, 'taskId', 'task_id_is_required')
}

function required(
  fields: MidjourneyFields,
  name: Parameters<MidjourneyFields['text']>[0],
  fault: string,
): string {
  const value = fields.text(name)
  if (value.trim() === '') throw new MidjourneyFault(fault)
  return value
}

/** The operator's options of submissions. */
export interface MidjourneyOptions {
  /** The URL that the upstream notifies of changes; empty for none. */
  readonly notifyHook: string
  /** Clients may say which of the upstream's accounts works for them. */
  readonly keepsAccountFilter: boolean
  /** Clients do not say how fast they are served. */
  readonly clearsMode: boolean
}

const modeFlag = /\s*--(?:fast|relax|turbo)(?![\w-])/gi

/** The body as the upstream gets it: the client's, with what the operator decides taken out or put in. */
export function midjourneyBody({ body, scan, text }: MidjourneyFields, options: MidjourneyOptions): string {
  const edits = new Map<string, string | undefined>()
  const hook = options.notifyHook
  if (hook !== '') edits.set('notifyHook', JSON.stringify(hook))
  else if (scan.members.has('notifyHook')) edits.set('notifyHook', undefined)
  if (!options.keepsAccountFilter && scan.members.has('accountFilter')) edits.set('accountFilter', undefined)
  const prompt = text('prompt')
  const cleared = options.clearsMode ? prompt.replace(modeFlag, '').trim() : prompt
  if (cleared !== prompt.trim() && options.clearsMode) edits.set('prompt', JSON.stringify(cleared))
  return spliceMembers(body, scan, edits)
}
