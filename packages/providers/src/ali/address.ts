export const defaultBaseUrl = 'https://dashscope.aliyuncs.com'

/** Where the vendor's own form of the API lives. */
export const nativeRoot = '/api/v1'
