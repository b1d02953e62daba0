export { type DrawingAction, drawingActions, drawingModel } from './actions.ts'
export { type ChosenAction, readCustomId } from './custom-id.ts'
export { type DrawingCode, DrawingFault, drawingCodes, encodeDrawingFault } from './fault.ts'
export type { DrawingFields } from './fields.ts'
export { type DrawingOptions, sentDrawingBody } from './sent-body.ts'
export { readSimpleChange } from './simple-change.ts'
export {
  type DrawingPath,
  type DrawingSubmission,
  isDrawingPath,
  readDrawingSubmission,
} from './submission.ts'
export { readSubmitReply, type SubmitReply } from './submit-reply.ts'
export { type DrawingTask, drawingImageUrl, encodeDrawing, readTaskIds } from './task-object.ts'
