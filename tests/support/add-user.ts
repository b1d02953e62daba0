import { type Credentials, logIn, type Operator, operate } from './operator.ts'
import type { Tollgate } from './server.ts'

/** Password of everybody whom `addUser` makes. */
export const userPassword = 'a-long-password'

/** An ordinary person with a balance, made by the operator of a running gateway, and logged in. */
export async function addUser(
  gateway: Pick<Tollgate, 'url'>,
  username: string,
  quota: number,
): Promise<Operator> {
  const operator = await operate(gateway.url)
  await operator.api('POST', '/api/user/', { username, password: userPassword, quota })
  return logIn(gateway.url, { username, password: userPassword })
}

/** An administrator, made by the operator of a running gateway. Returns what they log in with. */
export async function addAdministrator(
  gateway: Pick<Tollgate, 'url'>,
  username: string,
): Promise<Credentials> {
  const { userId: id } = await addUser(gateway, username, 0)
  await (await operate(gateway.url)).api('POST', '/api/user/manage', { id, action: 'promote' })
  return { username, password: userPassword }
}
