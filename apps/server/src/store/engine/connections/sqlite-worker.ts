import { sqliteRequests } from './sqlite-requests.ts'
import { serveCalls } from './worker-server.ts'

serveCalls(sqliteRequests())
