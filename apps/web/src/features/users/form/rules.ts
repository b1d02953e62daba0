import {
  displayNameMaxLength,
  type FixedFields,
  passwordMaxLength,
  passwordMinLength,
  type User,
  type UserCreateBody,
  type UserUpdateBody,
  usernameMaxLength,
} from '@tollgate/api'
import { accountRefusedFields } from '@tollgate/api/refused-fields'
import { userFields } from '@tollgate/api/user-fields'
import type { TFunction } from 'i18next'
import {
  blankBody,
  bodyOf,
  changedFields,
  type FormOf,
  fieldsByCode,
  noRateLimits,
  type RateLimitValues,
  rateLimitBody,
} from '../../../components/form/index.ts'

/** Fields of a body that the form edits otherwise, or not at all. */
type OwnField =
  | 'username'
  | 'display_name'
  | 'password'
  | 'group'
  | 'quota'
  | keyof RateLimitValues
  | keyof FixedFields
/** A field that the form shows as the user declares it, under its name in JSON. */
type PlainField = Exclude<keyof UserCreateBody & keyof User, OwnField>
type PlainBody = Pick<User, PlainField>

/** The fields that the form shows as the user declares them. */
export const plainFields = userFields.filter(({ section }) => section === 'plain')

/** Values of a user as typed. */
export interface UserForm extends RateLimitValues, FormOf<PlainBody> {
  readonly username: string
  readonly displayName: string
  /** Blank keeps the stored one. */
  readonly password: string
  readonly group: string
}

export const blankForm: UserForm = {
  username: '',
  displayName: '',
  password: '',
  group: '',
  ...noRateLimits,
  ...blankBody<PlainBody>(plainFields),
}

export function formOf({ username, display_name: displayName, group, ...user }: User): UserForm {
  return {
    ...blankForm,
    username,
    displayName,
    group,
    requests_per_minute: user.requests_per_minute,
    tokens_per_minute: user.tokens_per_minute,
    concurrency: user.concurrency,
    ...bodyOf<PlainBody>(plainFields, user),
  }
}

type Texts = TFunction<'users'>

/** Finds the problems of a new user's fields. */
export function createProblems(form: UserForm, t: Texts) {
  return {
    username:
      form.username.trim() === '' ? t('problem.empty') : lengthProblem(form.username, usernameMaxLength, t),
    displayName: lengthProblem(form.displayName, displayNameMaxLength, t),
    password: form.password === '' ? t('problem.empty') : passwordProblem(form.password, t),
  }
}

/** Finds the problems of a stored user's fields. */
export function updateProblems(form: UserForm, t: Texts) {
  return {
    ...createProblems(form, t),
    username:
      form.username.trim() === ''
        ? t('problem.usernameEmpty')
        : lengthProblem(form.username, usernameMaxLength, t),
    password: form.password === '' ? undefined : passwordProblem(form.password, t),
  }
}

function lengthProblem(text: string, max: number, t: Texts): string | undefined {
  return [...text.trim()].length > max ? t('problem.tooLong', { max }) : undefined
}

function passwordProblem(password: string, t: Texts): string | undefined {
  const length = [...password].length
  if (length < passwordMinLength) return t('problem.passwordShort', { min: passwordMinLength })
  return length > passwordMaxLength ? t('problem.tooLong', { max: passwordMaxLength }) : undefined
}

/** Returns the changed fields, and no others: these follow the user as the server knows them. */
export function updateBodyOf(user: User, form: UserForm): UserUpdateBody {
  const username = form.username.trim()
  const displayName = form.displayName.trim()
  return {
    id: user.id,
    ...(username !== user.username && { username }),
    ...(displayName !== user.display_name && { display_name: displayName }),
    ...(form.password !== '' && { password: form.password }),
    ...(form.group !== user.group && { group: form.group }),
    ...changedLimits(user, form),
    ...changedFields(bodyOf<PlainBody>(plainFields, user), plainBodyOf(form)),
  }
}

/** The plain fields of a form in a body: an emptied number is its default. */
export function plainBodyOf(form: UserForm): PlainBody {
  const values = plainFields.map(({ name, default: initial }) => [
    name,
    form[name as keyof UserForm] ?? initial,
  ])
  return Object.fromEntries(values) as PlainBody
}

function changedLimits(user: User, form: UserForm): Partial<ReturnType<typeof rateLimitBody>> {
  const changed = Object.entries(rateLimitBody(form)).filter(
    ([key, value]) => value !== user[key as keyof ReturnType<typeof rateLimitBody>],
  )
  return Object.fromEntries(changed)
}

/** The fields of the form, by their names in JSON. */
export const formNames = {
  username: 'username',
  display_name: 'displayName',
  password: 'password',
  group: 'group',
} as const satisfies Readonly<Record<string, keyof UserForm>>

/** Labels of the form's fields; limits have names that all such forms share. */
export const fieldLabels = {
  username: 'field.username',
  displayName: 'field.displayName',
  password: 'field.password',
  group: 'column.group',
} as const

/** Refusals of the server that are about one field. */
export const fieldOfRefusal = fieldsByCode<keyof UserForm>(accountRefusedFields, {
  ...formNames,
  ...Object.fromEntries(plainFields.map(({ name }) => [name, name as keyof UserForm])),
})
