import type { Protocol, ReceivedCall, Scripted, WireFrame } from './protocol.ts'
import type { ScriptedBehaviour } from './scripted-upstream.ts'

type Json = Readonly<Record<string, unknown>>
/** Edit of a vendor that differs from its protocol: of a buffered response, and of each event of a stream. */
export type Edit = (stated: Json) => Json

/** A buffered response, streamed when the caller asks for a stream, with every object of it changed. */
export function repliesEdited(reply: Scripted, edit: Edit): ScriptedBehaviour {
  return ({ call, response, protocol }) => {
    if (!protocol.wantsStream(call)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(edit(protocol.buffered(reply, call) as Json)))
      return
    }
    response.writeHead(200, { 'content-type': protocol.streamType })
    response.end(editedFrames(reply, edit, call, protocol).join(''))
  }
}

/** The same, of which only so many events come before the connection breaks. */
export function cutsEditedReply(reply: Scripted, edit: Edit, events: number): ScriptedBehaviour {
  return ({ call, response, protocol }) => {
    response.writeHead(200, { 'content-type': protocol.streamType })
    const frames = editedFrames(reply, edit, call, protocol).slice(0, events)
    response.write(frames.join(''), () => setTimeout(() => response.destroy(), 20))
  }
}

function editedFrames(
  reply: Scripted,
  edit: Edit,
  call: ReceivedCall,
  protocol: Protocol,
): readonly string[] {
  return protocol.frames(reply, call).map((frame) => editedFrame(frame, edit))
}

function editedFrame({ bytes }: WireFrame, edit: Edit): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(
      /^data: (\{.*\})(\r?)$/m,
      (_, data, end) => `data: ${JSON.stringify(edit(JSON.parse(data)))}${end}`,
    )
}
