import { adminPartNames, defaultAdminParts, type SessionUser } from '@tollgate/api'

/** The super administrator of a test's console. */
export const rootUser: SessionUser = {
  id: 1,
  username: 'root',
  display_name: 'Root',
  role: 100,
  status: 1,
  group: 'default',
  admin_parts: [...adminPartNames],
}

/** An administrator with the parts that a new one has. */
export const administrator: SessionUser = {
  ...rootUser,
  id: 2,
  username: 'ann',
  display_name: 'Ann',
  role: 10,
  admin_parts: [...defaultAdminParts],
}

/** A person without a part in administration. */
export const customer: SessionUser = {
  ...rootUser,
  id: 3,
  username: 'emil',
  display_name: 'Emil',
  role: 1,
  admin_parts: [],
}
