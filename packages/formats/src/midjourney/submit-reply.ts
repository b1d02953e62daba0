import { type JsonScan, memberText, scanTopLevel, spliceMembers } from '../json/text.ts'
import { isObject, listOf, objectOf, parseJson, textOf } from '../json/value.ts'
import { type MidjourneyAction, opensDialogue } from './actions.ts'

/** Outcome of a submission that the upstream answered. */
interface CodeRule {
  /** `open`: there is a task. `failed`: there is one that has failed. `none`: there is none. */
  readonly task: 'open' | 'failed' | 'none'
  readonly isCharged: boolean
  /** No account works for the channel: it may be taken out of service. */
  readonly isChannelFault?: true
}

const accepted = { task: 'open', isCharged: true } as const
const refused = { task: 'failed', isCharged: false } as const

/** Any other code is a refusal. */
const rules: Readonly<Record<number, CodeRule>> = {
  1: accepted,
  /** The same has been asked for before; or, of actions that open a dialogue, it is open. */
  21: accepted,
  22: accepted,
  3: { ...refused, isChannelFault: true },
  /** Parameters. */
  4: refused,
  5: { task: 'none', isCharged: false },
  9: refused,
  /** The queue is full. */
  23: refused,
  /** A banned word. */
  24: refused,
  /** Too much at once. */
  30: { task: 'none', isCharged: false },
}

/** An upstream's response to a submission. */
export interface SubmitReply extends CodeRule {
  readonly code: number
  readonly description: string
  /** Id of the task; empty when it has none. */
  readonly taskId: string
  /** Progress of an open task; empty when the upstream reports none. */
  readonly status: string
  readonly imageUrl: string
  /** The message for the client. */
  readonly body: string
}

const success = 1
const exists = 21
const queued = 22

/**
 * @param status HTTP status: nothing but a 200 is charged
 * @returns `undefined` for a body that is not a response of this protocol
 */
export function readSubmitReply(
  status: number,
  body: string,
  action: MidjourneyAction,
): SubmitReply | undefined {
  const scan = scanTopLevel(body, deepestReply)
  const parsed = parseJson(body)
  if (!scan.ok || !isObject(parsed) || typeof parsed['code'] !== 'number') return undefined
  const { code } = parsed
  const rule = ruleOf(status, code, action)
  const properties = objectOf(parsed['properties'])
  const reply = {
    ...rule,
    code,
    description: textOf(parsed['description']),
    taskId: taskIdIn(body, scan),
    status: textOf(properties['status']),
    imageUrl: textOf(properties['imageUrl']),
    body: isReportedAsSuccess(code, action) && status === 200 ? reportedAsSuccess(body, scan) : body,
  }
  if (action === 'UPLOAD' && rule.task === 'open') return uploaded(reply, listOf(parsed['result']))
  // A task without an id cannot be queried and counts as none.
  return reply.taskId === '' && rule.task === 'open' ? undefined : withDialogue(reply, action)
}

const deepestReply = 64

function ruleOf(status: number, code: number, action: MidjourneyAction): CodeRule {
  const rule = rules[code] ?? refused
  if (rule.task !== 'open') return rule
  if (status !== 200) return { task: 'none', isCharged: false }
  // A face is swapped, or it is not: what was there before costs nothing.
  return { ...rule, isCharged: !opensDialogue(action) && (action !== 'SWAP_FACE' || code === success) }
}

function isReportedAsSuccess(code: number, action: MidjourneyAction): boolean {
  return code === queued || (code === exists && !opensDialogue(action))
}

function reportedAsSuccess(body: string, scan: JsonScan): string {
  return spliceMembers(body, scan, new Map([['code', String(success)]]))
}

/** Reads a task's id, a text of digits; a number is taken as written, for it may have more digits than a number can hold. */
function taskIdIn(body: string, scan: JsonScan): string {
  const member = scan.members.get('result')
  if (member === undefined) return ''
  const text = memberText(body, member)
  return /^\d+$/.test(text) ? text : textOf(parseJson(text)).trim()
}

/** Uploaded images are available at once: the response holds their addresses, and no task follows. */
function uploaded(reply: SubmitReply, addresses: readonly unknown[]): SubmitReply {
  return { ...reply, taskId: '', status: 'SUCCESS', imageUrl: reply.imageUrl || textOf(addresses[0]) }
}

function withDialogue(reply: SubmitReply, action: MidjourneyAction): SubmitReply {
  const waits = reply.task === 'open' && reply.code === exists && opensDialogue(action)
  return waits && reply.status === '' ? { ...reply, status: 'MODAL' } : reply
}
