export { type MidjourneyAction, midjourneyActions, midjourneyModel } from './actions.ts'
export { type ChosenAction, readCustomId } from './custom-id.ts'
export { encodeMidjourneyFault, type MidjourneyCode, MidjourneyFault, midjourneyCodes } from './fault.ts'
export type { MidjourneyFields } from './fields.ts'
export { type MidjourneyOptions, midjourneyBody } from './sent-body.ts'
export { readSimpleChange } from './simple-change.ts'
export {
  isMidjourneyPath,
  type MidjourneyPath,
  type MidjourneySubmission,
  readMidjourneySubmission,
} from './submission.ts'
export { readSubmitReply, type SubmitReply } from './submit-reply.ts'
export { encodeMidjourneyTask, type MidjourneyTask, midjourneyImageUrl, readTaskIds } from './task-object.ts'
