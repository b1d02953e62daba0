import { spliceMembers } from '../json-text.ts'
import type { MidjourneyFields } from './fields.ts'

/** What the operator decides about submissions. */
export interface MidjourneyOptions {
  /** The upstream is told whom to tell of changes; empty for nobody. */
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
