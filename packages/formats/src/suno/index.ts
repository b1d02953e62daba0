export { encodeSunoFault, SunoFault } from './fault.ts'
export {
  readSunoSubmission,
  type SunoAction,
  type SunoSubmission,
  sunoActions,
} from './submission.ts'
export { readSunoReply } from './submit-reply.ts'
export { encodeSunoResponse, encodeSunoTask, type SunoTask } from './task-object.ts'
