export { type VideoFormField, videoFields } from './form.ts'
export { readVideoRequest, type VideoOrder, type VideoRequest } from './request.ts'
export { encodeVideo, type VideoState, type VideoStatus } from './video.ts'
