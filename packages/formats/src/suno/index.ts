export {
  encodeSunoFault,
  encodeSunoResponse,
  encodeSunoTask,
  readSunoReply,
  readSunoSubmission,
  type SunoAction,
  SunoFault,
  type SunoSubmission,
  type SunoTask,
  sunoActions,
} from './suno.ts'
