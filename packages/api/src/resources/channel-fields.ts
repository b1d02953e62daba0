import { channelResource } from './channel.ts'
import { pageFieldsOf } from './page-fields.ts'

/** The fields of a channel for its form, apart from the contract that every page loads. */
export const channelFields = pageFieldsOf(channelResource)
