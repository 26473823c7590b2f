import { endStarted } from "../../testkit/started";

afterAll(endStarted);
