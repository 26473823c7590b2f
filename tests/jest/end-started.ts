import { endStarted } from "../kit/cleanup";

afterAll(endStarted);
