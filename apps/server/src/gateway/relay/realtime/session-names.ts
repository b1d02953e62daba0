import { MemberEditor, type MemberTexts } from '@tollgate/formats'
import type { Candidate } from '../routing/candidates.ts'
import type { SessionRequest } from './session-call.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The caller's names of the models of one session, for events that repeat what the session was set to. */
export class SessionNames {
  readonly #session: MemberTexts
  #transcription: MemberTexts = {}

  constructor({ model, intent }: Pick<SessionRequest, 'model' | 'intent'>, { upstreamModel }: Candidate) {
    const isMapped = model !== upstreamModel
    this.#session = isMapped && intent === undefined ? { model } : {}
    if (isMapped && intent !== undefined) this.#transcription = transcribing(model)
  }

  /** The caller set the model that writes down what it says. */
  transcribesWith(model: string, upstreamModel: string): void {
    this.#transcription = model === upstreamModel ? {} : transcribing(model)
  }

  named(event: string): string {
    // Most events are audio, in which nothing is escaped.
    if (!event.includes('"model"')) return event
    const { model } = this.#session
    const response: MemberTexts = model === undefined ? {} : { model }
    const editor = new MemberEditor({ session: { ...this.#session, ...this.#transcription }, response })
    const bytes = encoder.encode(event)
    const edited = editor.edit(bytes)
    return edited === bytes ? event : decoder.decode(edited)
  }
}

/** Returns the members that name the model, in the words of the current API and of its beta. */
function transcribing(model: string): MemberTexts {
  return { audio: { input: { transcription: { model } } }, input_audio_transcription: { model } }
}
