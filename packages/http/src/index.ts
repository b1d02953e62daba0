export {
  type BodyListener,
  type BodyPiece,
  type BufferedBody,
  ConnectionLostError,
  MalformedMessageError,
  notify,
  readBuffered,
} from './wire/body.ts'
