#include "Gone.h"
