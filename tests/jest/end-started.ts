import { endStarted } from "../kit/started";

afterAll(endStarted);
