import { pageFieldsOf } from './page-fields.ts'
import { userResource } from './user.ts'

/** The fields of a user for its form, apart from the contract that every page loads. */
export const userFields = pageFieldsOf(userResource)
