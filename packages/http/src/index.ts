export {
  type BodyListener,
  type BodyPiece,
  ConnectionLostError,
  MalformedMessageError,
  readWhole,
  tell,
  type WholeBody,
} from './wire/body.ts'
