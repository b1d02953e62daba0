import { type Prepared, prepare } from '../relay.ts'
import { CallerPresence, type CallerSocket, type CallerSocketListener } from './caller-socket.ts'
import { RealtimeSession } from './realtime-session.ts'
import type { SessionCall, SessionDependencies } from './session-call.ts'

/**
 * Decides whether there is a session at all, as far as that needs no socket: key, model, group, route and price. What comes
 * after is told over the caller's WebSocket.
 * @returns begins the session, once the caller's handshake is done
 * @throws RelayError, which has left a row in the log
 */
export function admitSession(
  details: Omit<SessionCall, 'connection'>,
  deps: SessionDependencies,
): (socket: CallerSocket) => CallerSocketListener {
  const presence = new CallerPresence()
  const call: SessionCall = { ...details, connection: presence }
  const prepared: Prepared = prepare(call, deps)
  return (socket) => {
    const session = new RealtimeSession({ call, prepared, presence, deps }, socket)
    session.start()
    return session.callerListener
  }
}
