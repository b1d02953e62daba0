export {
  readVideoRequest,
  type VideoFormField,
  type VideoOrder,
  type VideoRequest,
  videoFields,
} from './request.ts'
export { encodeVideo, type VideoState, type VideoStatus } from './video.ts'
