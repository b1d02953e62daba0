export {
  type ChosenAction,
  encodeMidjourneyFault,
  type MidjourneyAction,
  type MidjourneyCode,
  MidjourneyFault,
  midjourneyActions,
  midjourneyCodes,
  midjourneyModel,
  readCustomId,
  readSimpleChange,
} from './actions.ts'
export type { MidjourneyFields } from './fields.ts'
export {
  isMidjourneyPath,
  type MidjourneyOptions,
  type MidjourneyPath,
  type MidjourneySubmission,
  midjourneyBody,
  readMidjourneySubmission,
} from './submission.ts'
export { readSubmitReply, type SubmitReply } from './submit-reply.ts'
export { encodeMidjourneyTask, type MidjourneyTask, midjourneyImageUrl, readTaskIds } from './task-object.ts'
