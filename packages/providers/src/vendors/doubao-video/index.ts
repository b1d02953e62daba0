import { defineProvider } from '../../define-provider.ts'
import { seedance } from '../../families/seedance.ts'

/** Volcengine Ark for videos alone, whatever its models and endpoints are called. https://www.volcengine.com/docs/82379/1520757 */
export const doubaoVideo = defineProvider({ tasks: { video: () => seedance } })
