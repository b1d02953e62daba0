export {
  type BodyListener,
  ConnectionLostError,
  MalformedMessageError,
  type WholeBody,
} from './wire/body.ts'
