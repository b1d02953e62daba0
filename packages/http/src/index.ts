export {
  type BodyListener,
  type BodyPiece,
  type BufferedBody,
  ConnectionLostError,
  MalformedMessageError,
  notify,
  readBuffered,
} from './wire/body.ts'
export { freeBytes } from './wire/free-bytes.ts'
